import type { Deviation } from '@unikorn/core/testing/contract';

/** Where compute does not do as the contract says, on purpose. */
export const deviations: readonly Deviation[] = [
  {
    where: /^\S+ \/api\/\S+\/clusters\S*: is not served/,
    why: 'clusters are not built: they were never more than a shell in the second generation, and the first is withdrawn',
  },
  {
    where: /(request body\S*|query \S+): (maxItems|maxProperties|maxLength) is \d+, in the contract absent$/,
    why: 'every list and text that a caller can grow has a limit, above what anybody needs',
  },
  {
    where: /(organizationId|projectId|networkId|sshCertificateAuthorityId|securityGroups\[\]): pattern is/,
    why: 'the contract says that they are identifiers, and what cannot be one is refused with 400',
  },
  {
    where: /allowedSourceAddresses\[\]: pattern is/,
    why: 'they are IPv4 prefixes; anything else would be refused once the instance is long accepted',
  },
  { where: /request body\.spec\.userData: pattern is/, why: 'the contract says byte, which is checked here' },
  {
    where: /consoleoutput query length: (minimum|maximum) is/,
    why: 'a negative number of lines means nothing, and no console keeps more',
  },
  { where: /^GET \/api\/v2\/instances response 404: is missing$/, why: 'a list of nothing is empty' },
  {
    where: /^GET \S+ \(without the right .*: is answered 200 \[\]/,
    why: 'lists show everybody what they may see, which may be nothing',
  },
  {
    where: /^\S+ \/api\/v2\/\S+ \(without the right .*: is answered 404/,
    why: 'what belongs to an organization the caller has no part in does not exist for them; the access table shows the 403 of those who have one',
  },
];
