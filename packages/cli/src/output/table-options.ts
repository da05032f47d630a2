import { Option, type Command } from 'commander';

/** The options of a command that prints a table of resources. */
export interface TableOptions {
  readonly columns?: readonly string[];
  readonly sort?: string;
  readonly headers?: boolean;
}

export function addTableOptions(command: Command): void {
  command
    .addOption(new Option('--columns <names>', 'only these columns, such as name,status,ip').argParser(listOf))
    .option('--sort <column>', 'sort by this column; a - before it reverses the order: --sort=-age')
    .option('--no-headers', 'omit the line with the names of the columns');
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
