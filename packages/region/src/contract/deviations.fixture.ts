import type { Deviation } from '@unikorn/core/testing/contract';

/** The intended differences between region and the contract. */
export const deviations: readonly Deviation[] = [
  {
    where:
      /^\S+ \/api\/v1\/organizations\/{organizationID}\/(projects\/{projectID}\/identities|identities|networks|securitygroups|servers)\S*: .*not served/,
    why: 'the first generation of these resources is not implemented: only old clusters use it',
  },
  {
    where: /request body: is required, but not in the contract$/,
    why: 'the contract says in its description that an empty body is refused',
  },
  {
    where: /(request body\S*|query \S+): (maxItems|maxProperties|maxLength) is \d+, but in the contract absent$/,
    why: 'every list and text that a caller can grow has a limit, above any reasonable use',
  },
  {
    where: /request body\.spec\.(os\.\w+|gpu\.\S+|infrastructureRef): minLength is 1, but in the contract absent$/,
    why: 'an empty word has no meaning',
  },
  {
    where:
      /(organizationId|projectId|regionId|networkId): (pattern is .*|format is "uuid"), but in the contract absent$/,
    why: 'the contract says that they are identifiers; an invalid identifier is refused with 400 instead of an internal error',
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
    why: 'the contract says ipv4, but clients send a prefix',
  },
  {
    where: /consoleoutput query length: (minimum|maximum) is/,
    why: 'a negative number of lines is meaningless, and no console keeps more',
    hidden: true,
  },
  {
    where: /retention\.keep: maximum is 1000, but in the contract absent$/,
    why: 'no storage system keeps more snapshots',
  },
  {
    where: /^GET \S+\/images response 422: is missing$/,
    why: 'reading a list cannot be unprocessable',
    hidden: true,
  },
  {
    where: /^GET \S+ \(without the right .*: was answered with 200 \[/,
    why: 'lists show all callers the objects that they may see, which may be none; images and storage classes of the platform are public',
  },
  {
    where: /^\S+ \/api\/v2\/\S+ \(without the right .*: was answered with 404/,
    why: 'a caller without a role in the organization gets 404; the access table shows the 403 for callers that have one',
  },
];
