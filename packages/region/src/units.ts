/** The unit of memory and storage in the API. */
export const gib = 2 ** 30;
