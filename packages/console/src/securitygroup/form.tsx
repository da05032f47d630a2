import { dataOf, type SecurityGroup, type SecurityGroupUpdate, type Unikorn } from '@unikorn/sdk';

import { useNetworks } from '../catalog/catalog.ts';
import { defined } from '../defined.ts';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { ItemForm, MetadataFields } from '../parts/form.tsx';
import { writeBack } from '../parts/opened.ts';
import type { FieldsOf } from '../parts/three-way.ts';
import { commonDraftOf, commonFields, metadataOf, missingOf, useForm, type CommonDraft } from '../parts/use-form.ts';
import { useApi } from '../session/context.tsx';
import { DeleteResource } from '../shell/delete-resource.tsx';
import { Same, sentTo } from '../shell/same.tsx';
import { offerUndo, type Restoration } from '../shell/undo.ts';
import { words } from '../words/index.ts';
import { RuleEditor } from './editor.tsx';
import {
  differenceOf,
  draftOf as draftRuleOf,
  isSameRules,
  mergedRules,
  presets,
  ruleOf,
  type DraftRule,
  type Rule,
} from './rules.ts';

const texts = words.securityGroup;

interface FormProps {
  readonly org: string;
  readonly project: string;
  readonly group?: SecurityGroup;
  readonly onClose: () => void;
}

interface Draft extends CommonDraft {
  readonly networkId: string;
  readonly rules: readonly DraftRule[];
}

const fields: FieldsOf<Draft> = {
  ...commonFields,
  networkId: { label: texts.network, path: 'spec.networkId' },
  rules: {
    label: texts.rules,
    merge: (opened, theirs, mine) => draftsOf(mergedRules(opened.map(ruleOf), theirs.map(ruleOf), mine.map(ruleOf))),
  },
};

/** A new group lets its instances reach everything, as most users expect. */
const beginning: readonly Rule[] = presets.slice(-1).map(({ rule }) => rule);

function draftOf(group: SecurityGroup | undefined): Draft {
  return {
    ...commonDraftOf(group),
    networkId: '',
    rules: draftsOf(group?.spec.rules ?? beginning),
  };
}

/** Creates a security group, or changes one. A change is shown as a difference before it is saved. */
export function SecurityGroupForm({ org, project, group, onClose }: FormProps) {
  const { region } = useApi();
  const { data: networks = [], isSuccess } = useNetworks(org, project);
  const form = useForm(group, draftOf, fields);
  const { draft, opened, meanwhile } = form;
  const networkId = draft.networkId || (networks.length === 1 ? (networks[0]?.metadata.id ?? '') : '');
  const wanted = draft.rules.map(ruleOf);
  const theirs = meanwhile?.versions.theirs.rules.map(ruleOf);
  const metadata = metadataOf(draft);
  const creation = { metadata, spec: { rules: wanted, networkId } };
  const change = { metadata, spec: { rules: wanted } };
  const body = group ? change : creation;
  const save = () => {
    if (!group) {
      form.create((headers) => dataOf(region.POST('/api/v2/securitygroups', { headers, body: creation })), onClose);
      return;
    }
    const access = accessTo(region, group.metadata.id);
    form.change(
      access.read,
      (headers) => access.write(change, headers),
      () => {
        onClose();
        const before = theirs ?? opened?.spec.rules;
        if (before && !isSameRules(before, wanted))
          offerUndo(texts.done(metadata.name), [restorationOf(access, metadata.name, { before, after: wanted })]);
      },
    );
  };
  return (
    <ItemForm
      form={form}
      name={group?.metadata.name}
      create={texts.create}
      wide
      difference={opened && theirs && <RuleChanges before={opened.spec.rules} after={theirs} />}
      reason={missingOf([[fields.name.label, draft.name], ...(group ? [] : ([[texts.network, networkId]] as const))])}
      onClose={onClose}
      onSave={save}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('name')} maxLength={63} autoComplete="off" />
        {!group && (
          <ChoiceField
            {...form.field('networkId')}
            empty={texts.chooseNetwork}
            none={isSuccess ? words.parts.noChoice.network : undefined}
            value={networkId}
            choices={networks.map(({ metadata, status }) => ({
              value: metadata.id,
              label: `${metadata.name} (${status.prefix})`,
            }))}
          />
        )}
      </div>
      <RuleEditor
        rules={draft.rules}
        onChange={(rules) => {
          form.set({ rules });
        }}
      />
      {opened && <Difference before={opened.spec.rules} after={wanted} />}
      <MetadataFields description={form.field('description')} tags={form.field('tags')} />
      <Same
        noun="securitygroup"
        name={opened?.metadata.name ?? metadata.name}
        body={body}
        before={opened}
        fixed={group && { networkId: group.status.networkId }}
        known={[networks]}
        organization={org}
        project={project}
        sent={sentTo('/region/api/v2/securitygroups', group?.metadata.id, body)}
      />
    </ItemForm>
  );
}

/** How a group is read and written. */
function accessTo(region: Unikorn['region'], id: string) {
  const path = '/api/v2/securitygroups/{securityGroupID}';
  const params = { path: { securityGroupID: id } };
  return {
    read: () => region.GET(path, { params }),
    write: (body: SecurityGroupUpdate, headers: Readonly<Record<string, string>>) =>
      region.PUT(path, { params, headers, body }),
  };
}

/** Writes the rules before the change back, unless another user has changed them since. */
function restorationOf(
  { read, write }: ReturnType<typeof accessTo>,
  name: string,
  { before, after }: Versions,
): Restoration {
  return {
    name,
    restore: () =>
      writeBack(
        ({ spec }) => isSameRules(spec.rules, after),
        read,
        ({ metadata: { name, description, tags } }, headers) =>
          write({ metadata: { name, ...defined({ description, tags }) }, spec: { rules: [...before] } }, headers),
      ),
  };
}

function draftsOf(rules: readonly Rule[]): readonly DraftRule[] {
  return rules.map((rule, index) => draftRuleOf(rule, String(index + 1)));
}

interface Versions {
  readonly before: readonly Rule[];
  readonly after: readonly Rule[];
}

function Difference(versions: Versions) {
  return (
    <section aria-label={texts.review} className="rounded-md border border-line bg-sunken p-3">
      <h3 className="pb-1 font-medium">{texts.review}</h3>
      <RuleChanges {...versions} />
    </section>
  );
}

function RuleChanges({ before, after }: Versions) {
  const { added, removed } = differenceOf(before, after);
  return (
    <>
      {added.length + removed.length === 0 && <p className="text-muted">{texts.unchanged}</p>}
      <ul className="font-mono text-sm">
        {removed.map((text) => (
          <li key={`-${text}`} className="text-bad">
            − {text} <span className="sr-only">{texts.removed}</span>
          </li>
        ))}
        {added.map((text) => (
          <li key={`+${text}`} className="text-good">
            + {text} <span className="sr-only">{texts.added}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

export function DeleteSecurityGroup({
  group: { metadata },
  onClose,
  onDeleted,
}: {
  readonly group: SecurityGroup;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}) {
  const { region } = useApi();
  const params = { path: { securityGroupID: metadata.id } };
  return (
    <DeleteResource
      noun="securitygroup"
      name={metadata.name}
      text={texts.deletes}
      organization={metadata.organizationId}
      project={metadata.projectId}
      path={`/region/api/v2/securitygroups/${metadata.id}`}
      remove={() => dataOf(region.DELETE('/api/v2/securitygroups/{securityGroupID}', { params }))}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  );
}
