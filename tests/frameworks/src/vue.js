// A Vue page whose component has the chat as long as it is shown, as a part of the page.

import { load } from "@dialoom/widget";
import { createApp, h, onMounted, onUnmounted, ref } from "vue";
import { options } from "./options.js";

const Chat = {
  setup() {
    let chat = null;
    onMounted(() => {
      chat = load({ ...options, display: { mode: "inline", containerId: "chat" } });
    });
    onUnmounted(() => chat.destroy());
    return () => h("div", { id: "chat", style: "height: 500px" });
  },
};

const App = {
  setup() {
    const isShown = ref(true);
    const toggle = () => {
      isShown.value = !isShown.value;
    };
    return () => h("main", [h("h1", "Vue"), h("button", { onClick: toggle }, "Toggle"), isShown.value ? h(Chat) : null]);
  },
};

createApp(App).mount("#app");
