import { defined } from '../defined.ts';
import { Problem, problems, StillInProgress, type ProblemCode } from '../errors/index.ts';

/** The fields of a problem that are sent over HTTP. */
interface Refusal {
  readonly status: number;
  readonly wire: unknown;
  readonly message: unknown;
  readonly retryAfter_s?: number;
}

/** The service did not answer, or its response is not one of our services'. */
export function unavailable(service: string, cause: unknown): Problem {
  return new Problem('unavailable', `${service} is not available at the moment: try again`, { cause });
}

/** The problem of a handler as its caller in the same process gets it, with the same information as over HTTP. */
export function carriedProblem(service: string, problem: Problem): Problem {
  const { code, status, message, retryAfter_s } = problem;
  return problemOf(service, { status, wire: problems[code].wire, message, ...defined({ retryAfter_s }) }, problem);
}

/**
 * The problem that an HTTP response describes.
 *
 * @example if (answer.status !== 200) throw answeredProblem('identity', answer);
 */
export function answeredProblem(
  service: string,
  answer: { readonly status: number; readonly text: string; readonly headers: Readonly<Record<string, string>> },
): Problem {
  const { error, error_description: message } = fieldsOf(parseJson(answer.text));
  const retryAfter_s = retryAfterOf(answer.headers);
  return problemOf(
    service,
    { status: answer.status, wire: error, message, ...defined({ retryAfter_s }) },
    new Error(`${service} answered ${answer.status}: ${answer.text.slice(0, 500)}`),
  );
}

/**
 * If this service itself was refused, the user gets `unavailable`: a 401 would make their client discard a valid token.
 */
function problemOf(service: string, { status, wire, message, retryAfter_s }: Refusal, cause: unknown): Problem {
  const code = codeOf(status, wire);
  if (code === undefined || typeof message !== 'string' || status === 401 || (status >= 500 && status !== 503))
    return unavailable(service, cause);
  // Only a conflict that can end by itself says when to try again.
  if (code === 'conflict' && retryAfter_s !== undefined) return new StillInProgress(message, { cause, retryAfter_s });
  return new Problem(status === 503 ? 'unavailable' : code, message, { cause, ...defined({ retryAfter_s }) });
}

/** Several problems have the same wire code and status. The first one of the table represents them. */
const codes = new Map<string, ProblemCode>();
for (const code of codesOf(problems)) {
  const { status, wire } = problems[code];
  const key = `${status} ${wire}`;
  if (!codes.has(key)) codes.set(key, code);
}

function codesOf(table: typeof problems): readonly ProblemCode[] {
  const isCode = (text: string): text is ProblemCode => text in table;
  return Object.keys(table).filter(isCode);
}

function codeOf(status: number, wire: unknown): ProblemCode | undefined {
  return typeof wire === 'string' ? codes.get(`${status} ${wire}`) : undefined;
}

/** The value in seconds. The other form of the header, a date, is not used by our services. */
export function retryAfterOf(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['retry-after'];
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @example const { error } = fieldsOf(parseJson(answer.text)); // undefined if the text is not an object */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
