import type { GlobalOptions } from '../global-options.ts';
import type { TableOptions } from '../output/table-options.ts';

export type OperatorsOptions = GlobalOptions & TableOptions;
