import { describe, expect, it } from '@jest/globals';
import { parseCollectorPath } from './collector-path.js';

const OWN = '/api/v4/error_tracking/collector';

describe('the path of a request', () => {
  it.each([
    [`${OWN}/api/42/envelope/`, { project: '42', endpoint: 'envelope' }],
    [`${OWN}/api/42/store`, { project: '42', endpoint: 'store' }],
    [`${OWN}/api/42/security/`, { project: '42', endpoint: 'security' }],
    [`${OWN}/api/group%2Fproject/envelope/`, { project: 'group/project', endpoint: 'envelope' }],
    [`${OWN}/api/%ff/envelope`, { project: '%ff', endpoint: 'envelope' }],
    ['/api/42/envelope/', { project: '42', endpoint: 'envelope' }],
    ['/api/42/store', { project: '42', endpoint: 'store' }],
    [`${OWN}/api/42/minidump/`, { project: '', endpoint: null }],
    [`${OWN}/api/embed/error-page/`, { project: '', endpoint: null }],
    [`${OWN}/42`, { project: '', endpoint: null }],
    [`${OWN}/api/42/envelope/x`, { project: '', endpoint: null }],
    [OWN, { project: '', endpoint: null }],
    [`${OWN}s/api/42/envelope`, null],
    ['/api/v4/envelope/', null],
    ['/api/42/minidump/', null],
    ['/api/42/envelope/x', null],
    ['/api/4x/envelope/', null],
    ['/42/envelope/', null],
  ])('%s is read as %p', (path, expected) => {
    expect(parseCollectorPath(path)).toEqual(expected);
  });
});
