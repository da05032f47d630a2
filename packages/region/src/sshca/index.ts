export { parseAuthorityKey } from './public-key.ts';
