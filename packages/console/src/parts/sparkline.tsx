const size = { width: 120, height: 24 } as const;

/**
 * The last values of a number as a small line. It is drawn here and not by uPlot: that library has axes, a legend and a
 * cursor, which a line of this size does not show, and would be loaded for one path.
 */
export function Sparkline({
  label,
  values,
  most,
}: {
  readonly label: string;
  readonly values: readonly number[];
  readonly most: number;
}) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      className="h-6 w-30 max-w-full"
    >
      <line
        x1="0"
        x2={size.width}
        y1={size.height - 1}
        y2={size.height - 1}
        className="stroke-line"
        strokeWidth="1"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={lineOf(values, most)}
        fill="none"
        className="stroke-accent"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

/** Values fill the width from the right, as many as there can be. A line needs two of them. */
export function lineOf(values: readonly number[], most: number): string {
  const highest = Math.max(1, ...values);
  const step = size.width / Math.max(1, most - 1);
  const start = size.width - step * (values.length - 1);
  return values
    .map((value, index) => {
      const x = (start + index * step).toFixed(1);
      const y = (size.height - 1 - ((size.height - 3) * value) / highest).toFixed(1);
      return `${index === 0 ? 'M' : 'L'}${x} ${y}`;
    })
    .join('');
}
