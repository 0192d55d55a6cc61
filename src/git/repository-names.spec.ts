import { describe, expect, it } from '@jest/globals';
import { runGit } from './git-process.js';
import { isValidBranchName, isValidReferenceName } from './reference-name.js';
import { relativeRepositoryPath, repositoryKey } from './repository-path.js';

const HASH = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b';

describe('relativeRepositoryPath', () => {
  it.each([
    ['project', `@hashed/6b/86/${HASH}.git`, 'project-1'],
    ['wiki', `@hashed/6b/86/${HASH}.wiki.git`, 'wiki-1'],
    ['design', `@hashed/6b/86/${HASH}.design.git`, 'design-1'],
    ['snippet', `@snippets/6b/86/${HASH}.git`, 'snippet-1'],
    ['group-wiki', `@groups/6b/86/${HASH}.wiki.git`, 'group-1-wiki'],
  ] as const)('places and names a %s repository', (kind, path, key) => {
    expect(relativeRepositoryPath(kind, 1)).toBe(path);
    expect(repositoryKey(kind, 1)).toBe(key);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses the id %d', (id) => {
    expect(() => relativeRepositoryPath('project', id)).toThrow(RangeError);
  });
});

describe('ref names', () => {
  const names = [
    ...['refs/heads/a', 'refs/heads/a/b', 'refs/heads/ä', 'refs/heads/a..b', 'refs/heads/a~1'],
    ...['refs/heads/.a', 'refs/heads/a.lock', 'refs/heads/a/', 'refs/heads//a', 'refs/heads/a.'],
    ...['refs/heads/a b', 'refs/heads/a@{1}', 'refs/heads/a\\b', 'refs/heads/a*', 'refs/heads/@'],
    ...['refs/heads/a.lock/b', 'HEAD', 'refs/heads/-a', 'refs/heads/a^', 'refs/heads/\x7f'],
    ...['refs/heads/a\nb', 'refs/heads/[a', 'refs/heads/a?', 'refs/heads/a:b'],
  ];

  it.each(names)('agree with git about %j', async (name) => {
    const { code } = await runGit(['check-ref-format', name]);
    expect(isValidReferenceName(name)).toBe(code === 0);
  });

  it.each(['-x', '--upload-pack=touch', 'HEAD', 'a'.repeat(40), 'F'.repeat(64), 'x'.repeat(65536)])(
    'are no branch: %.50s',
    (name) => {
      expect(isValidBranchName(name)).toBe(false);
    },
  );

  it.each(['refs/heads/x', 'refs/merge-requests/1/head', '@', 'x'.repeat(251)])(
    'are no branch that a file or a person could be misled by: %.50s',
    (name) => {
      expect(isValidBranchName(name)).toBe(false);
    },
  );

  it('are a branch when ordinary', () => {
    expect(['main', 'feature/x', 'a'.repeat(39)].map(isValidBranchName)).toEqual([
      true,
      true,
      true,
    ]);
  });
});
