/** The unit of memory and storage in the API. */
export const gib = 2 ** 30;
export const mib = 2 ** 20;
