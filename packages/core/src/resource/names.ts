/** The contract's pattern for display names, which are also label values. */
export const displayNamePattern = '^[0-9A-Za-z](?:[0-9A-Za-z-_.]{0,61}[0-9A-Za-z])?$';
