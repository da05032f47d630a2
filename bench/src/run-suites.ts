import { machine, table, type Figure, type Suite } from './report.ts';

export interface Outlets {
  /** For people, while it goes on. */
  readonly progress: (text: string) => void;
  /** Prints results. */
  readonly print: (text: string) => void;
  /** Whether the figures are meaningful. In a smoke run they are not, and goals are left out. */
  readonly judged: boolean;
}

/**
 * Runs one suite after the other and prints each as soon as it ends, so that a failed suite does not affect the others.
 * At the end it prints everything as one line of JSON. Returns whether no suite failed and no decisive goal was missed.
 */
export async function runSuites(suites: readonly Suite[], { progress, print, judged }: Outlets): Promise<boolean> {
  const figures: (Figure & { readonly suite: string })[] = [];
  const failures: { readonly suite: string; readonly error: string }[] = [];
  print(
    Object.entries(machine())
      .map(([key, value]) => `${key}: ${value}`)
      .join(', '),
  );
  for (const { name, run } of suites) {
    const begun = performance.now();
    const took = () => `${((performance.now() - begun) / 1000).toFixed(1)} s`;
    try {
      const measured = (
        await run((text) => {
          progress(`${name}: ${text}`);
        })
      ).map((figure) => (judged ? figure : withoutGoal(figure)));
      figures.push(...measured.map((figure) => ({ suite: name, ...figure })));
      print(`\n${name} (${took()})\n${table(measured)}`);
    } catch (error) {
      failures.push({ suite: name, error: String(error) });
      print(
        `\n${name} FAILED after ${took()}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }
  print(`\n${JSON.stringify({ machine: machine(), figures, failures })}`);
  return failures.length === 0 && figures.every(({ goal }) => goal?.decides !== true || goal.met);
}

function withoutGoal({ name, settings, value, unit, baseline }: Figure): Figure {
  return { name, settings, value, unit, ...(baseline ? { baseline } : {}) };
}
