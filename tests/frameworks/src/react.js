// A React page whose component has the chat as long as it is shown. Strict mode mounts it twice.

import { load } from "@dialoom/widget";
import { createElement as h, StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { options } from "./options.js";

function Chat() {
  const [unread, setUnread] = useState(0);
  useEffect(() => {
    const chat = load(options);
    chat.on("unread", setUnread);
    return () => chat.destroy();
  }, []);
  return h("p", null, `Unread: ${unread}`);
}

function App() {
  const [isShown, setShown] = useState(true);
  return h("main", null, h("h1", null, "React"), h("button", { onClick: () => setShown(!isShown) }, "Toggle"), isShown && h(Chat));
}

createRoot(document.getElementById("app")).render(h(StrictMode, null, h(App)));
