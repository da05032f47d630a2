import type { Problem } from '../errors/index.ts';

/** Whether a request was refused because of the amount of traffic, whatever its content. */
export function isRefusal(problem: Problem | undefined): boolean {
  return problem?.code === 'too_many_requests' || problem?.code === 'overloaded';
}
