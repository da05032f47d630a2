/** Output formats. json and yaml print the response of the API, with its kind. */
export const outputFormats = ['table', 'wide', 'json', 'yaml', 'name'] as const;
export type OutputFormat = (typeof outputFormats)[number];
