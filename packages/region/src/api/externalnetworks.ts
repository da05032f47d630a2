import { Type } from 'typebox';

const ExternalNetworkRead = Type.Object({ id: Type.String(), name: Type.String() }, { $id: 'externalNetwork' });

export const ExternalNetworks = Type.Array(ExternalNetworkRead, { $id: 'externalNetworks' });
