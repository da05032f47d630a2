export { isProblem, Problem, StillInProgress, toError } from './problem.ts';
export { problems, wireCodes, type ProblemCode, type WireCode } from './registry.ts';
