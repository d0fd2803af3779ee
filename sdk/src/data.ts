/** What an answer carries under `data`. */
export const data = async <T>(answer: Promise<{ data: T }>): Promise<T> => (await answer).data;
