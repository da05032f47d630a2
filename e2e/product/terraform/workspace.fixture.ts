import type { Held, Plan, Terraform } from './lifecycle.fixture.ts';
import type { Attributes, ResourceType } from './resources.fixture.ts';

/** A resource in a configuration. */
export interface Block {
  readonly type: ResourceType;
  /** The blocks that it refers to. */
  readonly needs: readonly string[];
  /** Its values, given the ids of the other blocks. */
  readonly wanted: (id: (block: string) => string) => Attributes;
}

export type Configuration = Readonly<Record<string, Block>>;

/**
 * A state, and the operations with which Terraform applies a configuration: as many at once as the references allow.
 */
export class Workspace {
  readonly #terraform: Terraform;
  readonly #state = new Map<string, { readonly block: Block; held: Held }>();

  constructor(terraform: Terraform) {
    this.#terraform = terraform;
  }

  id(name: string): string {
    const entry = this.#state.get(name);
    if (!entry) throw new Error(`the state does not contain ${name}`);
    return entry.held.id;
  }

  /** The action of an apply for each block, after a refresh; blocks without a change are left out. */
  async plan(configuration: Configuration): Promise<Readonly<Record<string, Plan['action'] | 'delete'>>> {
    await this.#refresh();
    const actions = Object.entries(configuration).map(([name, { type, wanted }]) => {
      const held = this.#state.get(name)?.held;
      return [
        name,
        held
          ? this.#terraform.plan(
              type,
              held,
              wanted((other) => this.id(other)),
            ).action
          : 'create',
      ] as const;
    });
    const gone = [...this.#state.keys()]
      .filter((name) => !(name in configuration))
      .map((name) => [name, 'delete'] as const);
    return Object.fromEntries([...actions, ...gone].filter(([, action]) => action !== 'nothing'));
  }

  async apply(configuration: Configuration): Promise<void> {
    const blocks = Object.keys(configuration);
    const gone = [...this.#state.keys()].filter((name) => !(name in configuration));
    const make = inOrder(
      (name) => configuration[name]?.needs ?? [],
      (name) => this.#realise(name, configuration),
    );
    // A removed resource waits for the deletion of resources that refer to it, but not for changes that remove a
    // reference.
    const remove = inOrder(
      (name) => gone.filter((other) => this.#state.get(other)?.block.needs.includes(name)),
      (name) => this.#remove(name),
    );
    await Promise.all([...blocks.map(make), ...gone.map(remove)]);
  }

  async destroy(): Promise<void> {
    await this.apply({});
  }

  async #refresh(): Promise<void> {
    for (const [name, entry] of this.#state) {
      const held = await this.#terraform.read(entry.block.type, entry.held.id);
      if (held) entry.held = held;
      else this.#state.delete(name);
    }
  }

  async #realise(name: string, configuration: Configuration): Promise<void> {
    const block = configuration[name];
    if (!block) throw new Error(`the configuration does not contain ${name}`);
    const { type } = block;
    const held = this.#state.get(name)?.held;
    const wanted = block.wanted((other) => this.id(other));
    const { action } = this.#terraform.plan(type, held, wanted);
    if (held && action === 'replace') await this.#remove(name);
    if (held && action === 'nothing') this.#state.set(name, { block, held });
    else
      this.#state.set(name, {
        block,
        held:
          held && action === 'update'
            ? await this.#terraform.update(type, held, wanted)
            : await this.#terraform.create(type, wanted),
      });
  }

  async #remove(name: string): Promise<void> {
    const entry = this.#state.get(name);
    if (entry) await this.#terraform.destroy(entry.block.type, entry.held);
    this.#state.delete(name);
  }
}

/** Runs each item once, after its predecessors. */
function inOrder(
  before: (name: string) => readonly string[],
  act: (name: string) => Promise<void>,
): (name: string) => Promise<void> {
  const begun = new Map<string, Promise<void>>();
  const run = (name: string): Promise<void> => {
    const running = begun.get(name) ?? Promise.all(before(name).map(run)).then(() => act(name));
    begun.set(name, running);
    return running;
  };
  return run;
}
