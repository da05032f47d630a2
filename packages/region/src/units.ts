/** What memory and storage are counted in, by people and on the wire. */
export const gib = 2 ** 30;
