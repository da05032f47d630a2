import { absent, ProviderFailure, type FileStorages } from '../../provider/index.ts';

/** There is no backend for file storage in OpenStack regions: none can be made, and there is never one to remove. */
export const noFileStorages: FileStorages = {
  ensure: () =>
    Promise.reject(new ProviderFailure('invalid', 'this region has no file storage: create it in another region')),
  observe: () => Promise.resolve(absent),
  list: () => Promise.resolve([]),
  remove: () => Promise.resolve(absent),
};
