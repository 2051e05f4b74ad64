/** The last answers by their paths, so that a view that is opened again begins with what it showed. */
export interface AnswerMemory {
  /** Returns the last answer to a path; null: there is none, or something has changed since. */
  recall<T>(path: string): T | null;
  /** Keeps the answer to a request made at a moment given by `now`, unless everything was forgotten since. */
  keep(path: string, answer: unknown, since: number): void;
  /** Returns how often everything was forgotten. */
  now(): number;
  /** Deletes everything, because something was changed. */
  forget(): void;
}

/** Remembers this many answers, those asked for last. */
const maxAnswers = 60;

export function createAnswerMemory(): AnswerMemory {
  const answers = new Map<string, unknown>();
  let times = 0;
  return {
    recall: <T>(path: string) => (answers.get(path) as T | undefined) ?? null,
    keep(path, answer, since) {
      if (since !== times) return;
      answers.delete(path);
      answers.set(path, answer);
      const [oldest] = answers.keys();
      if (answers.size > maxAnswers && oldest !== undefined) answers.delete(oldest);
    },
    now: () => times,
    forget() {
      times += 1;
      answers.clear();
    },
  };
}
