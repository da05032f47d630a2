import { defineSaga, putObject, storedSchema, takeObjectBack } from '@unikorn/core/saga';

import { LoadBalancer } from '../kinds/index.ts';
import { charge, chargedInput, settleCharge, type ChargedDeps, type InputOf } from './charged.ts';
import { chargedLoadBalancer } from './charges.ts';

/** Creates or changes a load balancer and its charge, or neither. */
export const writeLoadBalancerSaga = defineSaga({
  name: 'region.loadBalancer.write',
  input: chargedInput(LoadBalancer),
  onCrash: 'resume changes',
  steps: (table, deps: ChargedDeps) =>
    table
      .step({
        name: 'charge',
        do: ({ input }) => charge(deps, chargedLoadBalancer, input, input.after.spec),
        undo: ({ input }) => settleCharge(deps, chargedLoadBalancer, input),
      })
      .step({
        name: 'put',
        returns: storedSchema(LoadBalancer),
        do: ({ input, sagaId }) => putObject(deps.store, LoadBalancer, input, sagaId),
        undo: ({ input, sagaId }) => takeObjectBack(deps.store, LoadBalancer, input, sagaId),
      }),
});

export type WriteLoadBalancer = (
  input: InputOf<typeof writeLoadBalancerSaga>,
  sagaId?: string,
) => Promise<{ readonly put: LoadBalancer }>;
