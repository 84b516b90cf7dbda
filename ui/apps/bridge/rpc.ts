/** JSON-RPC 2.0 over `postMessage` with exactly one other window. */

type Id = string | number;
type Parameters = Record<string, unknown>;
interface Incoming {
  jsonrpc?: unknown;
  id?: Id;
  method?: string;
  params?: Parameters;
  result?: unknown;
  error?: { code?: number; message?: string };
}

/** The other side answered that it can't or won't. */
export class Refused extends Error {
  constructor(readonly code: number, message: string) {
    super(message);
  }
}

const NO_SUCH_METHOD = -32601;

/** What answers requests and takes notifications; a request without a handler is refused in the standard way. */
export interface Handlers {
  request: Readonly<Record<string, (parameters: Parameters) => unknown>>;
  notification(method: string, parameters: Parameters): void;
}

/** A line to one window. Messages of any other window are not even looked at. */
export class Rpc {
  readonly #waiting = new Map<Id, { resolve: (result: unknown) => void; reject: (error: Refused) => void }>();
  #next = 1;

  constructor(
    private readonly here: Window,
    private readonly there: Window,
    private readonly handlers: Handlers,
    /** Who may read what is sent. A framed page can't know its host's origin and says `*`; a host does know. */
    private readonly origin = "*",
  ) {
    here.addEventListener("message", this.#hear);
  }

  close(): void {
    this.here.removeEventListener("message", this.#hear);
  }

  request(method: string, params: Parameters): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: Parameters): void {
    this.#send({ method, params });
  }

  #send(message: Parameters): void {
    this.there.postMessage({ jsonrpc: "2.0", ...message }, this.origin);
  }

  readonly #hear = (event: MessageEvent<Incoming | null>): void => {
    const message = event.data;
    if (event.source !== this.there || (this.origin !== "*" && event.origin !== this.origin)) return;
    if (typeof message !== "object" || message?.jsonrpc !== "2.0") return;
    if (message.method === undefined) this.#settle(message);
    else if (message.id === undefined) this.handlers.notification(message.method, message.params ?? {});
    else void this.#answer(message.id, message.method, message.params ?? {});
  };

  #settle({ id, result, error }: Incoming): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || !waiting) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(new Refused(error.code ?? 0, error.message ?? ""));
    else waiting.resolve(result);
  }

  async #answer(id: Id, method: string, parameters: Parameters): Promise<void> {
    const handler = Object.hasOwn(this.handlers.request, method) ? this.handlers.request[method] : undefined;
    if (!handler) return this.#send({ id, error: { code: NO_SUCH_METHOD, message: `no such method: ${method}` } });
    try {
      this.#send({ id, result: (await handler(parameters)) ?? {} });
    } catch (error) {
      const { code, message } = error instanceof Refused ? error : new Refused(-32603, String(error));
      this.#send({ id, error: { code, message } });
    }
  }
}
