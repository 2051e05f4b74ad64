import { useEffect, useState } from 'preact/hooks';
import { problemOf } from '../core/api-client.ts';
import type { App } from '../core/app.ts';
import { programCommand } from '../core/program-command.ts';

/** Asks for a token and exchanges it for the session cookie. */
export function Login({ app }: { app: App }) {
  const [token, setToken] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  // A login link that was opened in another tab logs this one in too.
  useEffect(() => {
    const check = () => void app.api.getStatus().then(app.loggedIn, () => {});
    window.addEventListener('focus', check);
    return () => window.removeEventListener('focus', check);
  }, [app]);

  async function logIn(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      await app.api.createSession({ body: { token: token.trim() } });
      app.loggedIn();
    } catch (error) {
      const { status, title, detail } = problemOf(error);
      const unknown = 'Unknown token. Check that you copied all of it.';
      setFailure(status === 401 ? unknown : [title, detail].filter((part) => part !== null).join('. '));
      setBusy(false);
    }
  }

  return (
    <main class="login">
      <form
        class="card"
        aria-labelledby="login-title"
        onSubmit={(event) => {
          event.preventDefault();
          void logIn();
        }}
      >
        <h1 id="login-title">Log in</h1>
        <p>
          Run <code>{programCommand} token login</code> where Offerbook is installed: it prints a one-time
          link that opens this page. Or enter a token.
        </p>
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            name="token"
            autocomplete="current-password"
            required
            value={token}
            aria-describedby="login-failure"
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <p id="login-failure" class="failure" role="alert">
          {failure}
        </p>
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Logging in…' : 'Log in'}
        </button>
      </form>
    </main>
  );
}
