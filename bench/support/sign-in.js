/**
 * Signs in by the form.
 * @param {string} url of the instance
 * @param {{ login: string, password: string }} account
 * @returns {Promise<string>} the session's cookie
 */
export async function signIn(url, { login, password }) {
  const form = await fetch(`${url}/users/sign_in`);
  const anonymous = cookieOf(form);
  const [, token = ''] = /name="authenticity_token" value="([^"]+)"/.exec(await form.text()) ?? [];
  const response = await fetch(`${url}/users/sign_in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: anonymous },
    body: new URLSearchParams({
      authenticity_token: token,
      'user[login]': login,
      'user[password]': password,
    }),
  });
  if (response.status !== 303) throw new Error(`sign-in answers ${response.status}`);
  return cookieOf(response);
}

/** @param {Response} response */
function cookieOf(response) {
  const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  return cookies.find((one) => one.startsWith('_svc_session=')) ?? '';
}
