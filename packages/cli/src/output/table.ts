import stringWidth from 'string-width';

const gap = '   ';

/** Aligned columns without borders. The last column is not padded, so that lines have no trailing spaces. */
export function renderTable(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headers, ...rows];
  const widths = headers.map((_, column) => Math.max(...lines.map((cells) => stringWidth(cells[column] ?? ''))));
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, column) => padded(cell, widths[column] ?? 0))
          .join(gap)
          .trimEnd()}\n`,
    )
    .join('');
}

export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}
