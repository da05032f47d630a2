import { text } from 'node:stream/consumers';

/** Draws a terminal session, read from stdin, as an SVG on stdout: `… | node scripts/terminal-picture.ts > docs/images/start.svg`. */
const character = { width: 8.4, height: 19 };
const margin = 18;
const titleBar = 34;

function escaped(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function colour(line: string): string {
  if (line.startsWith('$ ')) return '#8be9fd';
  if (line.startsWith('event: ')) return '#ffb86c';
  return /is ready at/.test(line) ? '#50fa7b' : '#f8f8f2';
}

const lines = (await text(process.stdin)).trimEnd().split('\n');
const width = Math.max(...lines.map((line) => line.length)) * character.width + 2 * margin;
const height = lines.length * character.height + titleBar + 2 * margin;
const rows = lines.map((line, row) => {
  const y = titleBar + margin + (row + 0.8) * character.height;
  return `<text x="${margin}" y="${y}" fill="${colour(line)}" xml:space="preserve">${escaped(line)}</text>`;
});
const buttons = ['#ff5555', '#f1fa8c', '#50fa7b'].map((fill, index) => `<circle cx="${margin + 6 + index * 20}" cy="17" r="6" fill="${fill}"/>`);
console.log(
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">`,
    `<rect width="100%" height="100%" rx="8" fill="#282a36"/>`,
    ...buttons,
    ...rows,
    '</svg>',
  ].join('\n'),
);
