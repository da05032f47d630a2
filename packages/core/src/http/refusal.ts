import type { Problem } from '../errors/index.ts';

/** Whether a request was refused because of how much is sent, whatever it asked for. */
export function isRefusal(problem: Problem | undefined): boolean {
  return problem?.code === 'too_many_requests' || problem?.code === 'overloaded';
}
