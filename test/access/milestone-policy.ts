import { at, group, OPEN, project, type Operation } from './operation.js';
import type { Place } from './world.js';

const LIST = '/projects/:id/milestones';
const ONE = `${LIST}/:milestone_id`;
const NOTES = '/projects/:id/snippets/:snippet_id/notes';

const READER = project('guest', OPEN);
const PLANNER = project('planner');

/** Milestones: everyone who sees the project reads them, Planners change them. */
export const MILESTONES: readonly Operation[] = (
  [
    [`GET ${LIST}`, '', READER, 200],
    [`POST ${LIST}`, '', PLANNER, 400],
    [`GET ${ONE}`, '/0', READER, 404],
    [`PUT ${ONE}`, '/0', PLANNER, 404],
    [`DELETE ${ONE}`, '/0', PLANNER, 404],
    [`GET ${ONE}/issues`, '/0/issues', READER, 404],
  ] as const
).map(([route, rest, who, allowed]) => {
  return { route, path: at('projects', `/milestones${rest}`), who, allowed };
});

/** Comments on project snippets: for signed-in users who see the project. */
export const SNIPPET_NOTES: readonly Operation[] = (
  [
    ['GET', '', 200],
    ['POST', '', 400],
    ['GET', '/:note_id', 404],
    ['PUT', '/:note_id', 400],
    ['DELETE', '/:note_id', 404],
  ] as const
).map(([method, rest, allowed]) => ({
  route: `${method} ${NOTES}${rest}`,
  path: ({ projectId, snippetId }: Place) =>
    `/projects/${projectId}/snippets/${snippetId}/notes${rest.replace(':note_id', '0')}`,
  who: project('guest', { open: 'signed_in' }),
  allowed,
}));

const LABELS = '/labels';

/** Labels of projects and groups: everyone who sees them reads them, Planners change them. */
export const LABEL_OPERATIONS: readonly Operation[] = (['projects', 'groups'] as const).flatMap(
  (kind) => {
    const isProject = kind === 'projects';
    const reader = isProject ? READER : group('guest', OPEN);
    const planner = isProject ? PLANNER : group('planner');
    const rows = [
      ['GET', '', '', reader, 200],
      ['POST', '', '', planner, 400],
      ['PUT', '', '', planner, 400],
      ['DELETE', '', '', planner, 400],
      ['GET', '/:label_id', '/0', reader, 404],
      ['PUT', '/:label_id', '/0', planner, 404],
      ['DELETE', '/:label_id', '/0', planner, 404],
    ] as const;
    const subscriber = isProject
      ? project('guest', { open: 'signed_in' })
      : group('guest', { open: 'signed_in' });
    const subscriptions = ['subscribe', 'unsubscribe'].map(
      (verb) => ['POST', `/:label_id/${verb}`, `/0/${verb}`, subscriber, 404] as const,
    );
    const promotion = ['PUT', '/:label_id/promote', '/0/promote', PLANNER, 404] as const;
    return [...rows, ...subscriptions, ...(isProject ? [promotion] : [])].map(
      ([method, route, path, who, allowed]) => ({
        route: `${method} /${kind}/:id${LABELS}${route}`,
        path: at(kind, LABELS + path),
        who,
        allowed,
      }),
    );
  },
);
