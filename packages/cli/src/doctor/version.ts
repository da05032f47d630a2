import manifest from '../../package.json' with { type: 'json' };

/** The version of this CLI. */
export const { version } = manifest;
