import manifest from '../../package.json' with { type: 'json' };

/** Of these commands. */
export const { version } = manifest;
