import compute from './compute.json' with { type: 'json' };

const { paths, components } = compute;
const { schemas } = components;
const { instanceSpec, instanceCreateSpec, instanceStatus, securityGroupIDList } = schemas;
const { '/api/v2/instances': collection, '/api/v2/instances/{instanceID}': item } = paths;

const id = { type: 'string', format: 'uuid' };
const unprocessable = { 422: { $ref: 'common.json#/components/responses/unprocessableContentResponse' } };
const [shared, placement] = instanceCreateSpec.allOf;
const version = {
  'x-no-authorization': true,
  security: [{ oauth2Authentication: [] }],
  responses: {
    200: { $ref: 'common.json#/components/responses/serviceVersionResponse' },
    401: { $ref: 'common.json#/components/responses/unauthorizedResponse' },
    500: { $ref: 'common.json#/components/responses/internalServerErrorResponse' },
  },
};

/** The contract as current clients know it: additions to compute since its document was written. */
export const currentCompute = {
  ...compute,
  paths: {
    ...paths,
    '/api/version': { get: version },
    '/api/v2/instances': {
      ...collection,
      post: { ...collection.post, responses: { ...collection.post.responses, ...unprocessable } },
    },
    '/api/v2/instances/{instanceID}': {
      ...item,
      put: { ...item.put, responses: { ...item.put.responses, ...unprocessable } },
    },
  },
  components: {
    ...components,
    schemas: {
      ...schemas,
      kubernetesNameParameter: id,
      instanceSpec: { ...instanceSpec, properties: { ...instanceSpec.properties, sshCertificateAuthorityId: id } },
      instanceCreateSpec: {
        ...instanceCreateSpec,
        allOf: [shared, { ...placement, properties: { organizationId: id, projectId: id, networkId: id } }],
      },
      instanceStatus: {
        ...instanceStatus,
        properties: { ...instanceStatus.properties, macAddress: { type: 'string' } },
      },
      securityGroupIDList: { ...securityGroupIDList, items: id },
    },
  },
};
