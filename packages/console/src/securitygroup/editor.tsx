import { Button, IconButton } from '../parts/button.tsx';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { Notice } from '../parts/page.tsx';
import { words } from '../words/index.ts';
import { directions, draftOf, hasPorts, presets, protocols, ruleOf, warningsOf, type DraftRule } from './rules.ts';

const texts = words.securityGroup;

/** A table of rules that can be changed. Warnings are shown at once, and refuse nothing. */
export function RuleEditor({
  rules,
  onChange,
}: {
  readonly rules: readonly DraftRule[];
  readonly onChange: (rules: readonly DraftRule[]) => void;
}) {
  const next = String(1 + Math.max(0, ...rules.map(({ key }) => Number(key))));
  const change = (key: string, changes: Partial<DraftRule>) => {
    onChange(rules.map((rule) => (rule.key === key ? { ...rule, ...changes } : rule)));
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 font-medium">{texts.rules}</legend>
      {rules.length === 0 && <p className="text-muted">{texts.noRules}</p>}
      {rules.map((rule, index) => (
        <div
          key={rule.key}
          role="group"
          aria-label={`${texts.rules} ${index + 1}`}
          className="grid grid-cols-[1fr_1fr_auto] items-end gap-2 rounded-md border border-line p-2 sm:grid-cols-[6.5rem_5.5rem_5rem_5rem_1fr_2rem] sm:border-0 sm:p-0"
        >
          <ChoiceField
            label={texts.ruleOf(String(index + 1), texts.direction)}
            hideLabel
            value={rule.direction}
            choices={directions.map((value) => ({ value, label: texts.directions[value] }))}
            onChange={(value) => {
              change(rule.key, { direction: directions.find((each) => each === value) ?? 'ingress' });
            }}
          />
          <ChoiceField
            label={texts.ruleOf(String(index + 1), texts.protocol)}
            hideLabel
            value={rule.protocol}
            choices={protocols.map((value) => ({ value, label: value }))}
            onChange={(value) => {
              change(rule.key, { protocol: protocols.find((each) => each === value) ?? 'tcp' });
            }}
          />
          {hasPorts(rule.protocol) ? (
            <>
              <TextField
                label={texts.ruleOf(String(index + 1), texts.port)}
                hideLabel
                type="number"
                placeholder={texts.anyPort}
                value={rule.port}
                onChange={(port) => {
                  change(rule.key, { port });
                }}
              />
              <TextField
                label={texts.ruleOf(String(index + 1), texts.portMax)}
                hideLabel
                type="number"
                placeholder="–"
                value={rule.portMax}
                onChange={(portMax) => {
                  change(rule.key, { portMax });
                }}
              />
            </>
          ) : (
            <span className="flex h-8 items-center text-muted sm:col-span-2">{texts.anyPort}</span>
          )}
          <TextField
            label={texts.ruleOf(String(index + 1), texts.prefix)}
            hideLabel
            mono
            placeholder={texts.anyPrefix}
            maxLength={18}
            value={rule.prefix}
            onChange={(prefix) => {
              change(rule.key, { prefix });
            }}
          />
          <IconButton
            label={texts.removeRule(String(index + 1))}
            onClick={() => {
              onChange(rules.filter(({ key }) => key !== rule.key));
            }}
          >
            <Icon name="trash" />
          </IconButton>
        </div>
      ))}
      <div className="flex flex-wrap gap-2 pt-1">
        <Button
          onClick={() => {
            onChange([...rules, draftOf({ direction: 'ingress', protocol: 'tcp' }, next)]);
          }}
        >
          <Icon name="plus" />
          {texts.addRule}
        </Button>
        <Menu
          align="start"
          trigger={
            <Button>
              {texts.presets}
              <Icon name="chevronDown" className="size-3.5" />
            </Button>
          }
        >
          {presets.map(({ name, rule }) => (
            <MenuItem
              key={name}
              onSelect={() => {
                onChange([...rules, draftOf(rule, next)]);
              }}
            >
              {name}
            </MenuItem>
          ))}
        </Menu>
      </div>
      {warningsOf(rules.map(ruleOf)).map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
    </fieldset>
  );
}
