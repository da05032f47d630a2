import { useState } from 'react';

import { Button, IconButton } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Slider } from '../../parts/slider.tsx';
import { Same } from '../../shell/same.tsx';
import { platformWords } from '../../words/platform.ts';
import { useRegionFlavors, useTurn, type Knobs } from '../region/queries.ts';
import { changesOf, commandOf, delays, durationText, shares, shareText, stepsFor } from './knobs.ts';

const texts = platformWords.simulation;

/**
 * Sliders and numbers. Moving one changes a draft, which is sent with one button: a slider passes many values that
 * nobody wants.
 */
export function KnobForm({
  id,
  name,
  saved,
  reason,
}: {
  readonly id: string;
  readonly name: string;
  readonly saved: Knobs;
  readonly reason: string | undefined;
}) {
  const [draft, setDraft] = useState<Partial<Knobs>>({});
  const [wrong, setWrong] = useState<ReadonlyMap<string, string>>(new Map());
  /** Fields keep what was typed; this makes them anew after the draft was sent or discarded. */
  const [version, setVersion] = useState(0);
  const { mutate, isPending, error, reset } = useTurn(id);
  const values = { ...saved, ...draft };
  const changes = changesOf(saved, draft);
  const count = Object.keys(changes).length;
  const set = (change: Partial<Knobs>) => {
    setDraft({ ...draft, ...change });
  };
  const clear = () => {
    setDraft({});
    setWrong(new Map());
    setVersion(version + 1);
    reset();
  };
  const complain = (name: string, problem: string | undefined) => {
    const next = new Map(wrong);
    if (problem === undefined) next.delete(name);
    else next.set(name, problem);
    setWrong(next);
  };
  const [problem] = wrong.values();
  const mark = (key: keyof Knobs) => (key in changes ? texts.changed : undefined);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <p className="text-muted">{texts.hint}</p>
      <div key={version} className="flex flex-col gap-4">
        <Section title={texts.delays}>
          <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
            {delays.map((key) => (
              <Slider
                key={key}
                label={texts.knobs[key][0]}
                value={values[key]}
                steps={stepsFor(key, values[key])}
                text={durationText}
                changed={mark(key)}
                onChange={(value) => {
                  set({ [key]: value });
                }}
              />
            ))}
          </div>
        </Section>
        <Section title={texts.shares}>
          <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
            {shares.map((key) => (
              <Slider
                key={key}
                label={texts.knobs[key][0]}
                hint={texts.knobs[key][1]}
                value={values[key]}
                steps={stepsFor(key, values[key])}
                text={shareText}
                changed={mark(key)}
                onChange={(value) => {
                  set({ [key]: value });
                }}
              />
            ))}
          </div>
        </Section>
        <Section title={texts.capacity}>
          <div className="flex flex-col gap-5">
            <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
              {(['serversPerIdentity', 'fileStorage_gib'] as const).map((key) => (
                <NumberField
                  key={key}
                  label={texts[key]}
                  value={values[key]}
                  onChange={(value, found) => {
                    complain(key, found);
                    if (value !== undefined) set({ [key]: value });
                  }}
                />
              ))}
            </div>
            <Places id={id} places={values.places} onWrong={complain} onChange={set} />
          </div>
        </Section>
      </div>
      {(count > 0 || wrong.size > 0 || error) && (
        <div className="sticky bottom-2 z-10 flex flex-col gap-3 rounded-lg border border-line-strong bg-raised p-3 shadow-pop">
          {error && <Problem error={error} />}
          <div className="flex flex-wrap items-center gap-2">
            <Button
              kind="primary"
              busy={isPending}
              reason={reason ?? problem ?? (count === 0 ? texts.hint : undefined)}
              onClick={() => {
                mutate(changes, { onSuccess: clear });
              }}
            >
              {count === 0 ? texts.apply : texts.applyCount(count)}
            </Button>
            <Button onClick={clear}>{texts.discard}</Button>
          </div>
          {count > 0 && (
            <Same
              command={commandOf(name, saved, changes)}
              sent={{ method: 'PUT', path: `/region/api/v2/regions/${id}/simulation`, body: changes }}
            />
          )}
        </div>
      )}
    </form>
  );
}

/** How many machines of each flavor fit. */
function Places({
  id,
  places,
  onWrong,
  onChange,
}: {
  readonly id: string;
  readonly places: Knobs['places'];
  readonly onWrong: (name: string, problem: string | undefined) => void;
  readonly onChange: (change: Partial<Knobs>) => void;
}) {
  const { data = [], error } = useRegionFlavors(id);
  if (error) return <Problem error={error} />;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 font-medium">{texts.places}</legend>
      <p className="text-sm text-muted">{texts.placesHint}</p>
      <ul className="grid gap-x-8 gap-y-3 lg:grid-cols-2">
        {data.map(({ metadata }) => {
          const set = (value: number | undefined) => {
            const others = Object.fromEntries(Object.entries(places).filter(([flavor]) => flavor !== metadata.id));
            onChange({ places: value === undefined ? others : { ...places, [metadata.id]: value } });
          };
          const current = places[metadata.id];
          return (
            <li key={metadata.id} className="flex items-end gap-2">
              <div className="min-w-0 flex-1">
                <NumberField
                  label={texts.placesOf(metadata.name)}
                  value={current}
                  optional
                  placeholder={texts.placesDefault}
                  onChange={(value, problem) => {
                    onWrong(metadata.id, problem);
                    if (problem === undefined) set(value);
                  }}
                />
              </div>
              <IconButton
                label={texts.addPlace(metadata.name)}
                aria-disabled={current === undefined ? true : undefined}
                className="border border-line-strong aria-disabled:opacity-50"
                onClick={() => {
                  if (current !== undefined) set(current + 1);
                }}
              >
                <Icon name="plus" />
              </IconButton>
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}

/** A whole number. What is typed stays while it is not a number. */
function NumberField({
  label,
  value,
  optional = false,
  placeholder,
  onChange,
}: {
  readonly label: string;
  readonly value: number | undefined;
  readonly optional?: boolean;
  readonly placeholder?: string;
  readonly onChange: (value: number | undefined, problem: string | undefined) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const problemOf = (text: string) =>
    (optional && text === '') || /^\d{1,10}$/.test(text) ? undefined : texts.wholeNumber(label);
  const numberOf = (text: string) => (text === '' ? undefined : Number(text));
  // The value can change in another way, too, and is then shown instead of what was typed.
  const isTyped = typed !== undefined && (problemOf(typed) !== undefined || numberOf(typed) === value);
  const text = isTyped ? typed : String(value ?? '');
  return (
    <TextField
      label={label}
      problem={problemOf(text)}
      value={text}
      {...(placeholder === undefined ? {} : { placeholder })}
      maxLength={10}
      autoComplete="off"
      onChange={(next) => {
        const entered = next.trim();
        const problem = problemOf(entered);
        setTyped(entered);
        onChange(problem === undefined ? numberOf(entered) : undefined, problem);
      }}
    />
  );
}
