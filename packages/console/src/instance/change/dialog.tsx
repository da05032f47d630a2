import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError, dataOf, type Instance, type InstancePlan } from '@unikorn/sdk';

import { useFlavors, useImages, useNetworks } from '../../catalog/catalog.ts';
import { useSecurityGroups, useSshAuthorities } from '../choices.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { CheckField, ChoiceField, TextField } from '../../parts/field.tsx';
import { Choices, optionsOf } from '../../parts/form.tsx';
import { Notice } from '../../parts/page.tsx';
import { fieldProblem, Problem } from '../../parts/problem.tsx';
import { useApi } from '../../session/context.tsx';
import { Same } from '../../shell/same.tsx';
import { words } from '../../words/index.ts';
import { apiPath, useUpdate } from '../api.ts';
import { AllowedSources } from '../fields.tsx';
import { UserDataField } from '../create/user-data-field.tsx';
import { updateOf, type SpecChange } from '../update-body.ts';
import { base64, textOf } from '../user-data-encoding.ts';
import { flavorLabel, misfitOf } from '../../catalog/fit.ts';
import { PlanView } from './plan.tsx';

const texts = words.instance.change;

/** A plan that replaced the one that the user had seen. */
interface Renewed {
  readonly plan: InstancePlan;
  readonly earlier: InstancePlan | undefined;
}

/**
 * Changes an instance. Each choice asks the service what it would do; nothing is changed before the user has seen that.
 */
export function ChangeDialog({ instance, onClose }: { readonly instance: Instance; readonly onClose: () => void }) {
  const { metadata, spec, status } = instance;
  const { compute } = useApi();
  const { data: flavors = [] } = useFlavors(metadata.organizationId, status.regionId);
  const { data: images = [] } = useImages(metadata.organizationId, status.regionId);
  const { data: networks = [] } = useNetworks(metadata.organizationId, metadata.projectId);
  const { data: groups = [] } = useSecurityGroups(status.networkId);
  const { data: authorities = [] } = useSshAuthorities(metadata.organizationId, metadata.projectId);
  const [change, setChange] = useState<SpecChange>({});
  const [userData, setUserData] = useState(textOf(spec.userData));
  const [consent, setConsent] = useState('');
  const [renewed, setRenewed] = useState<Renewed>();
  const update = useUpdate();
  const plan = useMutation({
    mutationFn: (wanted: SpecChange) =>
      dataOf(
        compute.POST('/api/v2/instances/{instanceID}/plan', {
          params: { path: { instanceID: metadata.id } },
          body: updateOf(instance, { spec: wanted }),
        }),
      ),
  });
  const choose = (wanted: SpecChange) => {
    const next = { ...change, ...wanted };
    setChange(next);
    setRenewed(undefined);
    setConsent('');
    update.reset();
    plan.mutate(next);
  };
  const chosen = { ...spec, ...change };
  const flavor = flavors.find((each) => each.metadata.id === chosen.flavorId);
  const shown = renewed?.plan ?? plan.data;
  const needsConsent = (shown?.losses.length ?? 0) > 0;
  const reason = reasonAgainst(shown, plan.isPending, needsConsent && consent.trim() !== metadata.name, metadata.name);
  const known = [flavors, images, networks, groups, authorities];
  const nameOf = (id: string) => known.flat().find((each) => each.metadata.id === id)?.metadata.name ?? id;
  const chosenGroups = chosen.networking.securityGroups ?? [];
  return (
    <Dialog
      open
      wide
      form
      busy={update.isPending}
      title={texts.title(metadata.name)}
      onClose={onClose}
      problem={update.error && !renewed ? <Problem error={update.error} /> : undefined}
      actions={
        <>
          <Button onClick={onClose}>{words.parts.cancel}</Button>
          <Button
            kind={needsConsent ? 'danger' : 'primary'}
            busy={update.isPending}
            reason={reason}
            onClick={() => {
              update.mutate(
                { instance, change: { spec: change }, planToken: shown?.token ?? '' },
                {
                  onSuccess: onClose,
                  onError: (error) => {
                    const next = planIn(error);
                    setRenewed(next && { plan: next, earlier: shown });
                    setConsent('');
                  },
                },
              );
            }}
          >
            {texts.apply}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          label={words.instance.columns.flavor}
          value={chosen.flavorId}
          choices={flavors.map((each) => ({ value: each.metadata.id, label: flavorLabel(each) }))}
          problem={fieldProblem(plan.error, 'spec.flavorId')}
          onChange={(flavorId) => {
            choose({ flavorId });
          }}
        />
        <ChoiceField
          label={words.instance.columns.image}
          hint={texts.imageHint}
          value={chosen.imageId}
          choices={images.map((each) => {
            const misfit = flavor && misfitOf(flavor, each);
            return {
              value: each.metadata.id,
              label: misfit === undefined ? each.metadata.name : `${each.metadata.name} (${misfit})`,
              disabled: misfit !== undefined,
            };
          })}
          problem={fieldProblem(plan.error, 'spec.imageId')}
          onChange={(imageId) => {
            choose({ imageId });
          }}
        />
        <ChoiceField
          label={words.instance.form.authority}
          hint={texts.authorityHint}
          empty={words.instance.form.noAuthority}
          value={chosen.sshCertificateAuthorityId ?? ''}
          choices={authorities.map((each) => ({ value: each.metadata.id, label: each.metadata.name }))}
          problem={fieldProblem(plan.error, 'spec.sshCertificateAuthorityId')}
          onChange={(authority) => {
            choose({ sshCertificateAuthorityId: authority === '' ? undefined : authority });
          }}
        />
        <div className="flex items-center">
          <CheckField
            label={words.instance.form.publicIP}
            checked={chosen.networking.publicIP === true}
            onChange={(publicIP) => {
              choose({ networking: { ...chosen.networking, publicIP } });
            }}
          />
        </div>
      </div>
      <Choices
        label={words.instance.form.groups}
        problem={fieldProblem(plan.error, 'spec.networking.securityGroups')}
        options={optionsOf(groups)}
        value={chosenGroups}
        onChange={(securityGroups) => {
          choose({ networking: { ...chosen.networking, securityGroups: [...securityGroups] } });
        }}
      />
      <details>
        <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">{texts.more}</summary>
        <div className="mt-3 flex flex-col gap-4">
          <AllowedSources
            value={chosen.networking.allowedSourceAddresses ?? []}
            problem={fieldProblem(plan.error, 'spec.networking.allowedSourceAddresses')}
            onChange={(allowedSourceAddresses) => {
              choose({ networking: { ...chosen.networking, allowedSourceAddresses } });
            }}
          />
          <div
            onBlur={() => {
              const data = userData === '' ? undefined : base64(userData);
              if (data !== chosen.userData) choose({ userData: data });
            }}
          >
            <UserDataField
              value={userData}
              hint={texts.userDataHint}
              problem={fieldProblem(plan.error, 'spec.userData')}
              onChange={setUserData}
            />
          </div>
        </div>
      </details>
      {!shown && !plan.isPending && !plan.error && <p className="text-muted">{texts.nothing}</p>}
      {plan.error && <Problem error={plan.error} />}
      {renewed && <Notice tone="warn">{texts.outdated}</Notice>}
      {shown && <PlanView plan={shown} earlier={renewed?.earlier} nameOf={nameOf} />}
      {shown && needsConsent && (
        <TextField
          label={words.parts.typeToConfirm(metadata.name)}
          value={consent}
          onChange={setConsent}
          autoComplete="off"
        />
      )}
      <Same
        noun="instance"
        name={metadata.name}
        body={updateOf(instance, { spec: change })}
        before={instance}
        fixed={{ networkId: status.networkId }}
        known={known}
        organization={metadata.organizationId}
        project={metadata.projectId}
        sent={{
          method: 'PUT',
          path: `/compute${apiPath(metadata.id)}`,
          body: updateOf(instance, { spec: change }),
        }}
      />
    </Dialog>
  );
}

function reasonAgainst(
  plan: InstancePlan | undefined,
  pending: boolean,
  unconfirmed: boolean,
  name: string,
): string | undefined {
  if (pending) return words.parts.loading;
  if (!plan || plan.action === 'none') return texts.nothing;
  if (plan.blockers.length > 0) return texts.blocked;
  return unconfirmed ? words.parts.typeToConfirm(name) : undefined;
}

/** A refusal because the plan is outdated contains the new plan. */
function planIn(error: Error): InstancePlan | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined;
  const { body } = error;
  const plan: unknown = typeof body === 'object' && body !== null && 'plan' in body ? body.plan : undefined;
  return isPlan(plan) ? plan : undefined;
}

function isPlan(value: unknown): value is InstancePlan {
  return typeof value === 'object' && value !== null && 'action' in value && 'token' in value && 'losses' in value;
}
