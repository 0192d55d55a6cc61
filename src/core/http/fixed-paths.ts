import type { RouteMethod } from './page-routes.js';

/**
 * Fixed paths beside parameters: `/snippets/all` is never the snippet `all`, also for methods that
 * only `/snippets/:id` has.
 */
export class FixedPaths {
  private readonly methods = new Map<string, Set<string>>();

  add(method: RouteMethod, pattern: string): void {
    const known = this.methods.get(pattern) ?? new Set();
    this.methods.set(pattern, known.add(method));
  }

  /** Tells the paths that a route must leave alone; null where its pattern covers no other one. */
  besides(method: RouteMethod, pattern: string): ((path: string) => boolean) | null {
    const steps = pattern.split('/');
    const fixed = [...this.methods]
      .filter(([, methods]) => !methods.has(method))
      .map(([other]) => other.split('/'))
      .filter((other) => covers(steps, other) && !covers(other, steps));
    if (fixed.length === 0) return null;
    return (path) => {
      const given = path.split('/');
      return fixed.some((other) => covers(other, given));
    };
  }
}

function covers(pattern: readonly string[], steps: readonly string[]): boolean {
  return (
    pattern.length === steps.length &&
    pattern.every((step, at) => step.startsWith(':') || step === steps[at])
  );
}
