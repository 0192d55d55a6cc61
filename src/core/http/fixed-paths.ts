import type { RouteMethod } from './page-routes.js';

/**
 * Keeps parameters from matching fixed paths: `/snippets/all` is never the snippet `all`, even for
 * methods that only `/snippets/:id` has.
 */
export class FixedPaths {
  private readonly methods = new Map<string, Set<string>>();

  add(method: RouteMethod, pattern: string): void {
    const known = this.methods.get(pattern) ?? new Set();
    this.methods.set(pattern, known.add(method));
  }

  /**
   * Returns a test for the paths that a route must not match, or null when its pattern covers no
   * other.
   */
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
