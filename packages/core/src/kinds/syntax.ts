import { internalLimits, limits } from '../limits.ts';

const dnsLabel = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const subdomain = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);
const word = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/**
 * A DNS-1123 subdomain: the form that Kubernetes requires for the name of an object, a group, or the prefix of a key.
 */
export function isSubdomain(text: string): boolean {
  return text.length <= limits.nameLength && subdomain.test(text);
}

function isWord(text: string): boolean {
  return text.length <= limits.labelLength && word.test(text);
}

/**
 * The form that Kubernetes requires for keys of labels and annotations and for finalizers: a name, or a DNS prefix, a
 * slash and a name.
 */
export function isQualifiedName(text: string): boolean {
  if (knownNames.has(text)) return true;
  const slash = text.indexOf('/');
  const isOne = slash < 0 ? isWord(text) : isSubdomain(text.slice(0, slash)) && isWord(text.slice(slash + 1));
  if (isOne && knownNames.size < internalLimits.knownLabelKeys) knownNames.add(text);
  return isOne;
}

/** Nearly all objects have the same few dozen keys. Names that come later are checked each time. */
const knownNames = new Set<string>();

export function isLabelValue(text: string): boolean {
  return text === '' || isWord(text);
}
