import type { Instance } from '@unikorn/sdk';

import { limits } from '../../limits.ts';
import { Button } from '../../parts/button.tsx';
import { FilterChip } from '../../parts/filter-bar.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu, MenuCheck, MenuGroup } from '../../parts/menu.tsx';
import { words } from '../../words/index.ts';
import { choicesOf, properties, type Filters, type Property } from './filters.ts';

const texts = words.instance.filters;

export interface FilterMenuProps {
  readonly instances: readonly Instance[];
  readonly filters: Filters;
  /** An empty value removes the filter. */
  readonly onChange: (property: Property, value: string) => void;
  /** How a value is called, such as the name of a network. */
  readonly nameOf: (property: Property, value: string) => string;
  /** The properties by which this list can be filtered. */
  readonly offered: readonly Property[];
}

/** The filters of the list that are on, each with a button that removes it, and a menu of all others. */
export function FilterMenu(props: FilterMenuProps) {
  const { filters, onChange, nameOf } = props;
  return (
    <>
      {properties.map((property) => {
        const value = filters[property];
        if (value === undefined) return null;
        return (
          <FilterChip
            key={property}
            text={texts.chip(texts.properties[property], nameOf(property, value))}
            onRemove={() => {
              onChange(property, '');
            }}
          />
        );
      })}
      <Menu
        trigger={
          <Button>
            <Icon name="filter" />
            {texts.title}
          </Button>
        }
      >
        <Choices {...props} />
      </Menu>
    </>
  );
}

/** Only drawn while the menu is open, because it looks at every instance. */
function Choices({ instances, filters, onChange, nameOf, offered }: FilterMenuProps) {
  const groups = offered
    .map((property) => ({ property, values: choicesOf(instances, property, limits.filterChoices) }))
    .filter(({ values }) => values.length > 0);
  return (
    <div className="max-h-[min(24rem,70dvh)] overflow-y-auto">
      {groups.map(({ property, values }) => (
        <MenuGroup
          key={property}
          title={<span className="text-sm font-medium text-muted">{texts.properties[property]}</span>}
        >
          {values.map((value) => (
            <MenuCheck
              key={value}
              checked={filters[property] === value}
              onChange={(checked) => {
                onChange(property, checked ? value : '');
              }}
            >
              <span className="max-w-60 truncate">{nameOf(property, value)}</span>
            </MenuCheck>
          ))}
        </MenuGroup>
      ))}
    </div>
  );
}
