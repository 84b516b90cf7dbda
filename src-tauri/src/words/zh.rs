//! Simplified Chinese.

use webcodex_contracts::control::{ClientKind, ClientState, TunnelState};
use webcodex_supervisor::status::Reason;

use super::Words;
use crate::notices::Notice;

pub(super) const WORDS: Words = Words {
    open: "打开 WebCodex",
    projects: "项目",
    add_folder: "添加文件夹…",
    pick_folders: "添加文件夹",
    pick_certificate: "选择证书文件",
    new_connection: "新建连接…",
    pause: "暂停服务",
    resume: "恢复服务",
    start_at_login: "登录时启动",
    check_for_updates: "检查更新",
    install_update: |version| format!("安装版本 {version}"),
    copy_diagnosis: "复制诊断",
    quit: "退出 WebCodex",
    client_kind,
    client_state,
    tunnel_state,
    sentence,
    notice,
    tooltip: |sentence| format!("WebCodex：{sentence}"),
};

fn client_kind(kind: ClientKind) -> &'static str {
    match kind {
        ClientKind::ChatGpt => "ChatGPT",
        ClientKind::ClaudeDesktop => "Claude 桌面版",
        ClientKind::ClaudeCode => "Claude Code",
        ClientKind::Other => "其他程序",
    }
}

fn client_state(state: ClientState) -> &'static str {
    match state {
        ClientState::Online => "在线",
        ClientState::Checking => "等待第一次调用",
        ClientState::Waiting => "等待中",
        ClientState::NeedsYou => "需要你处理",
        ClientState::Quiet => "还没有调用",
        ClientState::Off => "关闭",
        ClientState::Unknown => "未知",
    }
}

fn tunnel_state(state: &TunnelState) -> &'static str {
    match state {
        TunnelState::Off => "关闭",
        TunnelState::Starting => "正在启动",
        TunnelState::Checking => "正在检查",
        TunnelState::Online => "在线",
        TunnelState::Degraded { .. } => "不稳定",
        TunnelState::Waiting { .. } => "等待重试",
        TunnelState::NeedsYou { .. } => "需要你处理",
        TunnelState::Stopping => "正在停止",
    }
}

fn sentence(reason: &Reason, projects: usize, online: usize) -> String {
    match reason {
        Reason::Ready => format!("就绪，{projects} 个项目，{online} 个客户端"),
        Reason::NoProject => "就绪，等你添加第一个文件夹".into(),
        Reason::NoClient => "就绪，等待第一个客户端".into(),
        Reason::Paused => "你已暂停".into(),
        Reason::Starting => "正在启动".into(),
        Reason::Working { client, project, command: None } => {
            format!("工作中，{client} 正在 {project} 中工作")
        }
        Reason::Working { client, project, command: Some(_) } => {
            format!("工作中，{client} 正在 {project} 中运行命令")
        }
        Reason::ApprovalWaits { count } => format!("{count} 个请求等待你的答复"),
        Reason::ServerRestarting { .. } => "Server 已退出，正在重新启动".into(),
        Reason::ServerFailed { .. } => "Server 无法启动".into(),
        Reason::RunnerRestarting { .. } => "Runner 已退出，正在重新启动".into(),
        Reason::RunnerFailed { .. } => "Runner 无法启动".into(),
        Reason::PortTaken { new_port, .. } => format!("地址已改为端口 {new_port}"),
        Reason::DiskFull { .. } => "磁盘已满".into(),
        Reason::SecretsUnavailable => "没有安全存放凭据的地方".into(),
        Reason::ConnectionBroken { client } => format!("{client} 连不上你的项目"),
    }
}

fn notice(notice: &Notice) -> (String, String) {
    match notice {
        Notice::WorkDone { project, command } => (format!("{project} 中的命令已完成"), command.clone()),
        Notice::WorkFailed { project, command } => (format!("{project} 中的命令失败"), command.clone()),
        Notice::WorkStuck { project, command, minutes } => {
            (format!("{project} 中的命令 {minutes} 分钟没有输出"), command.clone())
        }
        Notice::ApprovalWanted { client, project, command: Some(command) } => {
            (format!("{client} 想在 {project} 中运行命令"), command.clone())
        }
        Notice::ApprovalWanted { client, project, command: None } => {
            (format!("{client} 想修改 {project} 中的文件"), "打开 WebCodex 查看改动并答复。".into())
        }
        Notice::ConnectionLost { client } => {
            (format!("{client} 连不上你的项目"), "“连接”页会指出哪一段断了。".into())
        }
    }
}
