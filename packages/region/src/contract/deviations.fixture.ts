import type { Deviation } from '@unikorn/core/testing/contract';

/** Where region does not do as the contract says, on purpose. */
export const deviations: readonly Deviation[] = [
  {
    where:
      /^\S+ \/api\/v1\/organizations\/{organizationID}\/(projects\/{projectID}\/identities|identities|networks|securitygroups|servers)\S*: .*not served/,
    why: 'the first generation of these resources is skipped: nothing but the clusters of old uses it',
  },
  {
    where: /request body: is required, but not in the contract$/,
    why: 'the contract says in words that an empty body is refused',
  },
  {
    where: /(request body\S*|query \S+): (maxItems|maxProperties|maxLength) is \d+, but in the contract absent$/,
    why: 'every list and text that a caller can grow has a limit, above what anybody needs',
  },
  {
    where: /request body\.spec\.(os\.\w+|gpu\.\S+|infrastructureRef): minLength is 1, but in the contract absent$/,
    why: 'a word that is empty says nothing',
  },
  {
    where:
      /(organizationId|projectId|regionId|networkId): (pattern is .*|format is "uuid"), but in the contract absent$/,
    why: 'the contract says that they are identifiers, and what cannot be one is refused with 400 instead of an internal error',
  },
  {
    where: /(dnsNameservers\[\]|members\[\]\.address|vipAddress): pattern is/,
    why: 'the contract says ipv4, which is checked here',
  },
  {
    where: /request body\.spec\.userData: pattern is/,
    why: 'the contract says byte, which is checked here',
    hidden: true,
  },
  {
    where: /path reference: (maxLength|pattern) is/,
    why: 'a reference is <plural>.<group>/<id>; any other text could never be released by its owner',
    hidden: true,
  },
  {
    where:
      /rules\[\]\.prefix: format is absent, but in the contract "ipv4"$|: answer\S*\/rules\/\d+\/prefix must match format "ipv4"/,
    why: 'it carries a prefix, as clients send it, which is no ipv4 address',
  },
  {
    where: /consoleoutput query length: (minimum|maximum) is/,
    why: 'a negative number of lines means nothing, and no console keeps more',
    hidden: true,
  },
  {
    where: /retention\.keep: maximum is 1000, but in the contract absent$/,
    why: 'no storage system keeps more snapshots',
  },
  {
    where: /^GET \S+\/images response 422: is missing$/,
    why: 'nothing about reading a list can be unprocessable',
    hidden: true,
  },
  {
    where: /^GET \S+ \(without the right .*: was answered with 200 \[/,
    why: "lists show everybody what they may see, which may be nothing; images and storage classes of the platform are everybody's",
  },
  {
    where: /^\S+ \/api\/v2\/\S+ \(without the right .*: was answered with 404/,
    why: 'what belongs to an organization the caller has no part in does not exist for them; the access table shows the 403 of those who have one',
  },
];
