/** How resources are printed; json and yaml are what the API said, word for word. */
export const outputFormats = ['table', 'wide', 'json', 'yaml', 'name'] as const;
export type OutputFormat = (typeof outputFormats)[number];
