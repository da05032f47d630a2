import type { Deviation } from '@unikorn/core/testing/contract';

/** Intended differences between compute and the contract. */
export const deviations: readonly Deviation[] = [
  {
    where: /^\S+ \/api\/\S+\/clusters\S*: is not served/,
    why: 'clusters are not implemented: the second generation had only an empty shell, and the first is withdrawn',
  },
  {
    where: /(request body\S*|query \S+): (maxItems|maxProperties|maxLength) is \d+, but in the contract absent$/,
    why: 'every list and text that a caller can grow has a limit, above any practical need',
  },
  {
    where: /(organizationId|projectId|networkId|sshCertificateAuthorityId|securityGroups\[\]): pattern is/,
    why: 'the contract says that they are identifiers; a text that cannot be one is refused with 400',
  },
  {
    where: /allowedSourceAddresses\[\]: pattern is/,
    why: 'they are IPv4 prefixes; another text would only fail after the instance is accepted',
  },
  { where: /request body\.spec\.userData: pattern is/, why: 'the contract says byte, which is checked here' },
  {
    where: /consoleoutput query length: (minimum|maximum) is/,
    why: 'a negative number of lines has no meaning, and no console keeps more than the maximum',
  },
  { where: /^GET \/api\/v2\/instances response 404: is missing$/, why: 'a list without results is empty' },
  {
    where: /^GET \S+ \(without the right .*: was answered with 200 \[\]/,
    why: 'lists show each caller what they may see, which may be nothing',
  },
  {
    where: /^\S+ \/api\/v2\/\S+ \(without the right .*: was answered with 404/,
    why: 'a resource of an organization that the caller does not belong to is not found; the access table shows the 403 of members',
  },
];
