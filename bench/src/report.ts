import { cpus, totalmem } from 'node:os';

/** One measured figure, and the value that it is compared with in the same run. */
export interface Figure {
  readonly name: string;
  readonly settings: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: { readonly name: string; readonly value: number };
  /**
   * The goal of the figure. A missed goal is shown. It fails the run only if it is decisive, because machines differ.
   */
  readonly goal?: { readonly text: string; readonly met: boolean; readonly decides?: true };
}

export interface Suite {
  readonly name: string;
  /** It takes so long that it only runs when it is named, or in a smoke run. */
  readonly onDemand?: true;
  readonly run: (progress: (text: string) => void) => Promise<readonly Figure[]>;
}

export function machine(): Record<string, string> {
  const [first] = cpus();
  return {
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    cpu: `${cpus().length} × ${first?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
  };
}

export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

/** Plain text in aligned columns, for terminals and pipes. */
export function table(figures: readonly Figure[]): string {
  const header = ['what', 'settings', 'measured', 'baseline', 'ratio', 'goal'];
  const rows = figures.map((figure) => [
    figure.name,
    figure.settings,
    `${number(figure.value)} ${figure.unit}`,
    figure.baseline ? `${number(figure.baseline.value)} ${figure.unit} (${figure.baseline.name})` : '',
    figure.baseline ? (figure.value / figure.baseline.value).toFixed(2) : '',
    figure.goal ? `${figure.goal.met ? 'met' : 'MISSED'}: ${figure.goal.text}` : '',
  ]);
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [header, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
