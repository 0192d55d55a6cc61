import { describe, expect, it } from '@jest/globals';
import type {
  Announcements,
  AnnouncementSubscriber,
} from '../core/announcements/announcements.service.js';
import type { Credential } from '../core/access/viewer.js';
import { CredentialCache } from './credential-cache.service.js';

const CREDENTIAL: Credential = {
  tokenId: 1,
  kind: 'personal',
  scopes: ['api'],
  expiresAt: null,
  revokedAt: null,
  projectId: null,
  applicationUid: null,
  createdAt: new Date(),
  user: {
    id: 7,
    username: 'ada',
    name: 'Ada',
    email: 'ada@example.com',
    avatar: null,
    admin: false,
    external: false,
    state: 'active',
    userType: 'human',
    confirmed: true,
  },
};

function makeCache(): { cache: CredentialCache; channel: AnnouncementSubscriber } {
  const channels = new Map<string, AnnouncementSubscriber>();
  const announcements: Pick<Announcements, 'subscribe'> = {
    subscribe: (name, subscriber) => void channels.set(name, subscriber),
  };
  const cache = new CredentialCache(announcements as Announcements);
  return { cache, channel: channels.get('credentials') as AnnouncementSubscriber };
}

describe('the cache of credentials', () => {
  it('keeps what was read while announcements arrive', () => {
    const { cache, channel } = makeCache();
    channel.connected();
    cache.set('key', CREDENTIAL, cache.epoch);
    expect(cache.get('key')).toBe(CREDENTIAL);
  });

  it('keeps nothing that was read before announcements arrived again', () => {
    const { cache, channel } = makeCache();
    channel.connected();
    channel.lost();
    const { epoch } = cache;
    channel.connected();
    cache.set('key', CREDENTIAL, epoch);
    expect(cache.get('key')).toBeUndefined();
  });

  it.each(['token:ff', 'user:8'])('keeps nothing that was read before %s was announced', (text) => {
    const { cache, channel } = makeCache();
    channel.connected();
    const { epoch } = cache;
    channel.announced(text);
    cache.set('ff', CREDENTIAL, epoch);
    expect(cache.get('ff')).toBeUndefined();
  });

  it('keeps what was read while other tokens were announced', () => {
    const { cache, channel } = makeCache();
    channel.connected();
    const { epoch } = cache;
    channel.announced('token:ff');
    cache.set('ee', CREDENTIAL, epoch);
    expect(cache.get('ee')).toBe(CREDENTIAL);
  });

  it('keeps nothing of before so many announcements that it cannot remember them', () => {
    const { cache, channel } = makeCache();
    channel.connected();
    const { epoch } = cache;
    channel.announced('token:ff');
    for (let count = 0; count < 10_000; count++) channel.announced(`token:${count}`);
    cache.set('ff', CREDENTIAL, epoch);
    expect(cache.get('ff')).toBeUndefined();
  });
});
