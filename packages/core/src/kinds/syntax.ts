import { limits } from '../limits.ts';

const dnsLabel = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const subdomain = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);
const word = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** A DNS-1123 subdomain: what Kubernetes takes as the name of an object, a group, or the prefix of a key. */
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
  const slash = text.indexOf('/');
  return slash < 0 ? isWord(text) : isSubdomain(text.slice(0, slash)) && isWord(text.slice(slash + 1));
}

export function isLabelValue(text: string): boolean {
  return text === '' || isWord(text);
}
