import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

let app: TestApp;
let author: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  author = await makeActor(app);
});

const usualPath = fc.constantFrom('a', 'b', 'a/b', 'a/b/c', 'A', 'ä', 'a ', 'notes.txt', '-', '0');
const usualContent = fc.constantFrom('x', ' x', 'x\r\n', 'ä'.repeat(1000));
const actions = fc.constantFrom('create', 'update', 'delete', 'move');

/** Usual requests of clients, with paths that collide, nest and rename each other. */
const usual = fc.record({
  files: fc.array(
    fc.record({
      action: actions,
      file_path: usualPath,
      previous_path: usualPath,
      content: usualContent,
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

const oddPath = fc.oneof(
  fc.constantFrom('..', '/', '.git', 'a/', '', '\0', 'a\\b', 'a\nb'),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const anything = fc.anything({ maxDepth: 2, values: [oddPath, fc.integer(), fc.boolean()] });
const oddFile = fc.record(
  {
    action: fc.oneof(actions, anything),
    file_path: fc.oneof(oddPath, anything),
    previous_path: oddPath,
    content: fc.oneof(fc.string({ unit: 'binary' }), anything),
  },
  { requiredKeys: [] },
);
const oddFiles = fc.oneof(
  fc.array(fc.oneof(oddFile, anything), { maxLength: 12 }),
  fc.dictionary(fc.constantFrom('0', '1', '2', 'x', '__proto__'), oddFile),
  anything,
);

/** Invalid requests. */
const odd = fc.record(
  {
    title: anything,
    files: oddFiles,
    content: anything,
    file_name: oddPath,
    visibility: anything,
  },
  { requiredKeys: [] },
);
const body = fc.oneof(usual, odd, fc.record({ file_name: oddPath, content: usualContent }));

/** Returns the value after a JSON round trip; undefined and functions vanish. */
function asJson(value: unknown): object {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) => {
      return typeof inner === 'bigint' ? String(inner) : inner;
    }),
  ) as object;
}

describe('whatever a client sends as files', () => {
  it('is a snippet or a refusal when creating, never a failure', async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(body, async (random) => {
        const response = await author.api.post('/snippets', { title: 'T', ...asJson(random) });
        expect([201, 400]).toContain(response.status);
        statuses.add(response.status);
        if (response.status === 400) return;
        const { id, files: made } = response.body as { id: number; files: { path: string }[] };
        for (const { path: name } of made) {
          const url = `/snippets/${id}/files/main/${encodeURIComponent(name)}/raw`;
          expect((await author.api.get(url)).status).toBe(200);
        }
      }),
      { numRuns: 120 },
    );
    expect(statuses.size).toBe(2);
  });

  it('changes the snippet or is refused when updating, and leaves every file readable', async () => {
    const statuses = new Set<number>();
    const { id } = await makeSnippet(app, { authorId: author.user.id });
    await fc.assert(
      fc.asyncProperty(body, async (random) => {
        const response = await author.api.put(`/snippets/${id}`, asJson(random));
        expect([200, 400]).toContain(response.status);
        statuses.add(response.status);
        if (response.status === 400) return;
        const { files: kept } = response.body as { files: { path: string }[] };
        expect(kept.length).toBeGreaterThan(0);
        expect(kept.length).toBeLessThanOrEqual(10);
        const [first] = kept;
        const url = `/snippets/${id}/files/main/${encodeURIComponent(first?.path ?? '')}/raw`;
        expect((await author.api.get(url)).status).toBe(200);
      }),
      { numRuns: 120 },
    );
    expect(statuses.size).toBe(2);
  });
});
