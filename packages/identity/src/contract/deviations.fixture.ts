import type { Deviation } from '@unikorn/core/testing/contract';

/** Intended differences between identity and the contract. */
export const deviations: readonly Deviation[] = [
  {
    where:
      /(\/acl|\/organizations|\/{organizationID}|\/oauth2providers(\/{providerID})?|\/quotas) document: documents it, but the contract hides it$/,
    why: 'only clients that are generated from this document use it, for administrators',
  },
  {
    where: /(request body\S*|query \S+): (maxItems|maxProperties|maxLength) is \d+, but in the contract absent$/,
    why: 'every list and text that a caller can grow has a limit, above any practical need',
  },
  { where: /\.subjects\[\]\.id: minLength is 1, but in the contract absent$/, why: 'no user has an empty subject' },
  {
    where: /path reference: (maxLength|pattern) is/,
    why: 'a reference is <plural>.<group>/<id>; any other text could never be released by its owner',
    hidden: true,
  },
  {
    where: /allocations\S* request body\.spec\.(kind|id): (maxLength|pattern) is/,
    why: 'they are stored as labels, so that the allocation of a resource can be found',
    hidden: true,
  },
  {
    where: /\.(quantity|committed|reserved): (minimum is 0|maximum is 9007199254740991), but in the contract absent$/,
    why: 'a negative amount would create quota, and a larger one could not be added up exactly',
  },
  {
    where:
      /^GET \/api\/v1\/(oauth2providers|organizations|organizations\/{organizationID}\/projects) \(without the right .*: was answered with 200/,
    why: 'these lists show each caller what they may see, which may be nothing',
  },
  {
    where: /^GET \S+\/oauth2providers \(an object that does not exist .*: was answered with 200 \[\]/,
    why: 'lists under an absent organization are empty for those who may read every organization, like all lists',
  },
];
