/** The option of every command that destroys something. */
export const yesOption = ['--yes', 'do not ask for confirmation'] as const;

export interface YesOption {
  readonly yes?: boolean;
}
