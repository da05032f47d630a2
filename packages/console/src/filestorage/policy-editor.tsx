import { Button, IconButton } from '../parts/button.tsx';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { words } from '../words/index.ts';
import { days, intervals, mostPolicies, newPolicy, type DraftPolicy } from './policies.ts';

const texts = words.fileStorage;

/** The schedules of snapshots, and how many are kept. */
export function PolicyEditor({
  label,
  value: policies,
  onChange,
}: {
  readonly label: string;
  readonly value: readonly DraftPolicy[];
  readonly onChange: (policies: readonly DraftPolicy[]) => void;
}) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="pb-1 font-medium">{label}</legend>
      {policies.map((policy, index) => (
        <PolicyFields
          key={index}
          number={index + 1}
          policy={policy}
          onChange={(changes) => {
            onChange(policies.with(index, { ...policy, ...changes }));
          }}
          onRemove={() => {
            onChange(policies.toSpliced(index, 1));
          }}
        />
      ))}
      <Button
        className="self-start"
        reason={policies.length < mostPolicies ? undefined : texts.mostPolicies(mostPolicies)}
        onClick={() => {
          onChange([...policies, newPolicy]);
        }}
      >
        <Icon name="plus" />
        {texts.addPolicy}
      </Button>
    </fieldset>
  );
}

function PolicyFields({
  number,
  policy: { name, interval, time, dayOfWeek, dayOfMonth, keep },
  onChange,
  onRemove,
}: {
  readonly number: number;
  readonly policy: DraftPolicy;
  readonly onChange: (changes: Partial<DraftPolicy>) => void;
  readonly onRemove: () => void;
}) {
  return (
    <div
      role="group"
      aria-label={texts.policyNumber(number)}
      className="flex flex-col gap-3 rounded-md border border-line p-3"
    >
      <div className="grid grid-cols-[1fr_1fr_2rem] items-end gap-2">
        <TextField
          label={texts.policyName}
          value={name}
          maxLength={19}
          autoComplete="off"
          onChange={(next) => {
            onChange({ name: next });
          }}
        />
        <ChoiceField
          label={texts.policyInterval}
          value={interval}
          choices={intervals.map((value) => ({ value, label: texts.intervals[value] }))}
          onChange={(value) => {
            onChange({ interval: intervals.find((each) => each === value) ?? interval });
          }}
        />
        <IconButton label={texts.removePolicy(number)} onClick={onRemove}>
          <Icon name="trash" />
        </IconButton>
      </div>
      <div className="grid grid-cols-3 items-end gap-2">
        {interval === 'weekly' && (
          <ChoiceField
            label={texts.policyDay}
            value={dayOfWeek}
            choices={days.map((value) => ({ value, label: texts.days[value] }))}
            onChange={(value) => {
              onChange({ dayOfWeek: days.find((each) => each === value) ?? dayOfWeek });
            }}
          />
        )}
        {interval === 'monthly' && (
          <TextField
            label={texts.policyDayOfMonth}
            value={dayOfMonth}
            maxLength={2}
            autoComplete="off"
            onChange={(next) => {
              onChange({ dayOfMonth: next });
            }}
          />
        )}
        {interval !== 'hourly' && (
          <TextField
            label={texts.policyTime}
            value={time}
            maxLength={5}
            autoComplete="off"
            mono
            onChange={(next) => {
              onChange({ time: next });
            }}
          />
        )}
        <TextField
          label={texts.policyKeep}
          value={keep}
          maxLength={4}
          autoComplete="off"
          onChange={(next) => {
            onChange({ keep: next });
          }}
        />
      </div>
    </div>
  );
}
